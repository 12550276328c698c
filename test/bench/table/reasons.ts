/** What takes the time or memory of the figures that are not reached, from processor profiles of their runs. */
export const REASONS: Readonly<Record<string, string>> = {
  "quote over REST, of bare Hono":
    "Bare Hono spends its time on the socket, the HTTP parser and its Node adapter. In the program these are 35 % of a quote; the rest is checks that a bare handler lacks: key, quota and its headers 15 %, input and output 8 %, deadline and cancellation 8 %, metrics and log 10 %, whether stored data changed 5 %, routing and security headers 12 %.",
  "history of 500 bars, of bare Hono":
    "27 % is the writing of the response, which has 45 KB, to the socket, and the client on the same two cores leaves the program idle for 9 %; the rest is as for a quote. The bars themselves are serialised once.",
  "quote beside these calls, p99":
    "Quotes wait for the longest step of a gathering or for the garbage collector; see the longest pauses.",
  "memory, idle": "About 60 MB are Node itself and 45 MB compiled code and schemas of all tools.",
  "memory after 8000 mixed calls":
    "185 MB remain after a full collection, about 120 MB of it objects and numbers of the simulated history of 74 symbols since 2017, which a live market does not hold; Node collects late on a machine with much memory.",
  "MCP over HTTP, 2026-07-28, of the bare SDK":
    "23 % is the socket and the HTTP parser, 12 % the Node adapter, 12 % reading and checking the body and the envelope, 20 % the call with its quota, deadline and log, 8 % writing the result twice, as text and as data.",
  "MCP over HTTP, 2025-06-18, of the bare SDK": "As for 2026-07-28.",
  "market-signal get-quote AAPL":
    "Of 400 ms, 90 ms compile the bundle, 100 ms create the schemas of all tools, 60 ms open the database and the market, 30 ms simulate the prices, and 40 ms are the start of Node.",
  "market-signal signal AAPL":
    "As for a quote; in addition 250 ms simulate the price history of the symbol and its peers, which real providers deliver, and 100 ms compute the signal.",
  "new signals without threads, two processes of one":
    "One process without threads uses 1.25 cores (the garbage collector and the database have threads of their own), and the client uses .1 of a core, so 1.5 is near the limit of two cores.",
  "nightly run of 5,000 symbols with 500 bars":
    "1.7 ms of processor for each symbol: 40 % structures (half of it the search for trading ranges), 30 % drivers, 18 % the hash of all inputs, 450 peers among them, 7 % the row in the database; one of the two cores also reads and ranks.",
  "memory of the nightly run, peak":
    "The bars of all symbols are 120 MB, and each of two threads keeps the bars of one sector, 450 symbols.",
};
