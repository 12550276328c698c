/** What takes the time or memory of the figures that are not reached, from processor profiles of single runs. */
export const REASONS: Readonly<Record<string, string>> = {
  "quote over REST, of bare Hono":
    "In a profile 28 % of a quote is the socket and the HTTP server of Node, 7 % Hono and its adapter. The rest is work that the bare handler does not do, and no part of it is large: input and output 10 %, log and metrics 8 %, key, quota and headers 7 %, database 6 %, deadline and cancellation 4 %, the garbage collector 4 %, the remaining code of the program 12 %.",
  "history of 500 bars, of bare Hono":
    "In a profile 27 % is the writing of the response to the socket, and the program waits for the client, which runs on the same two cores, for 9 %; the rest is as for a quote. The bars are serialised once.",
  "quote beside these calls, p99": "Quotes wait for the longest step of a gathering; see the longest pauses.",
  "memory, idle": "Node alone takes 39 MB; the rest is the code and the schemas of all tools.",
  "memory after 8000 mixed calls":
    "In the built program with its first nightly run 185 MB remained after a full collection. Its heap held 0.95 million objects and 2.1 million numbers, 90 MB; keeping the daily path of the simulated market in arrays took 38 MB off it, but nothing off the memory of the process, so that is not done.",
  "MCP over HTTP, 2026-07-28, of the bare SDK":
    "In a profile 22 % is the socket and the HTTP server of Node, 18 % reading and checking the body and writing the result, 10 % Hono and its adapter; no other part takes more than 5 %.",
  "market-signal get-quote AAPL":
    "In a profile of 400 ms 90 ms compile the bundle, 60 ms open the database and the market, and 30 ms simulate the price; most of the rest creates the schemas of all tools and starts Node.",
  "market-signal signal AAPL":
    "As for a quote; in a profile 230 ms more simulate the price history of the symbol and of those it is compared with, which a provider delivers in the live market.",
  "new signals without threads, two processes of one":
    "One process without threads used 1.25 cores, because the garbage collector and the database have threads of their own, and the client .1 of a core: two cores have no room for a second process of the same size.",
  "nightly run of 5,000 symbols with 500 bars":
    "In a profile without threads a symbol takes 1.8 ms, of which 48 % are structures, 30 % the consensus of the drivers and 17 % the hash of all inputs. On two cores the reading and ranking of the main thread takes its share too.",
  "memory of the nightly run, peak":
    "The bars of all symbols are 120 MB (5,000 x 500 x 6 numbers), and the threads have copies of those they compute.",
};
