/** What takes the time or memory of the figures that are not reached, from processor profiles of single runs. */
export const REASONS: Readonly<Record<string, string>> = {
  "quote over REST, of bare Hono":
    "In a profile 28 % of a quote is the socket and the HTTP server of Node, 7 % Hono and its adapter. The rest is work that the bare handler does not do, and no part of it is large: input and output 10 %, log and metrics 8 %, key, quota and headers 7 %, database 6 %, deadline and cancellation 4 %, the garbage collector 4 %, the remaining code of the program 12 %.",
  "history of 500 bars, of bare Hono":
    "In a profile 27 % is the writing of the response to the socket, and the program waits for the client, which runs on the same two cores, for 9 %; the rest is as for a quote. The bars are serialised once.",
  "longest pause of the event loop, 5 cold scans of 20":
    "Twelve single runs gave 32 to 87 ms. Collections of garbage take up to 15 ms each, and the event loop shares two cores with the thread that computes, those of the collector, and the client.",
  "quote beside these calls, p99": "Quotes wait for the longest step of a gathering; see the longest pauses.",
  "memory, idle": "Node alone takes 39 MB; the rest is the code and the schemas of all tools.",
  "memory after 8000 mixed calls":
    "Of 327 MB the heap took 150, of which 105 were in use: 45 by the program and its schemas, the rest by the simulated market and answers. Buffers of bars and results took 20, Node itself 39, and most of the rest is kept by the allocator of the C library: with MALLOC_ARENA_MAX=1 in the environment the process took 40 MB less.",
  "MCP over HTTP, 2026-07-28, of the bare SDK":
    "In a profile 22 % is the socket and the HTTP server of Node, 18 % reading and checking the body and writing the result, 10 % Hono and its adapter; no other part takes more than 5 %.",
  "market-signal get-quote AAPL":
    "In a profile of 400 ms 90 ms compile the bundle, 60 ms open the database and the market, and 30 ms simulate the price; most of the rest creates the schemas of all tools and starts Node.",
  "market-signal signal AAPL":
    "As for a quote; in a profile 230 ms more simulate the price history of the symbol and of those it is compared with, which a provider delivers in the live market.",
  "new signals without threads, two processes of one":
    "One process without threads used 1.25 cores, because the garbage collector and the database have threads of their own, and the client .1 of a core: two cores have no room for a second process of the same size.",
  "backtest of a moving average cross, million bars/s":
    "Runs of this benchmark alone gave 13 to 19; the figure depends on what else the machine does.",
  "nightly run of 5,000 symbols with 500 bars":
    "The run takes 10 s of processor with compiled threads, and 2.5 s more here, because each thread compiles the TypeScript sources. In a profile of a thread 44 % of a row are structures, 33 % the consensus of the drivers and 20 % the hash of all inputs, of which 60 KB a symbol are names of peers and the ranks of all members.",
  "memory of the nightly run, peak":
    "The bars of all symbols are 120 MB (5,000 x 500 x 6 numbers). This benchmark holds them a second time as its market, and its threads, which compile the sources, take 20 MB more than compiled ones. With the options of `npm start` it takes 80 MB less.",
};
