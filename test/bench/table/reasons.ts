/** Why targets are not met, by name of the figure: shares of time and memory from CPU profiles of single runs. */
export const REASONS: Readonly<Record<string, string>> = {
  "quote over REST, relative to bare Hono":
    "In a CPU profile of quotes, sockets and the HTTP server of Node take 28 %, Hono and its adapter 7 %. The rest is work that the bare handler does not do, and no part of it is large: input and output 10 %, log and metrics 8 %, key, quota and headers 7 %, database 6 %, deadline and cancellation 4 %, garbage collection 4 %, all other code of the program 12 %.",
  "history of 500 bars, relative to bare Hono":
    "In a CPU profile, writing the response to the socket takes 27 % and waiting for the client, which runs on the same two cores, 9 %; the rest is as for a quote. The bars are serialised only once.",
  "longest pause of the event loop, 5 uncached scans of 20 symbols":
    "Twelve single runs gave 32 to 87 ms. A garbage collection takes up to 15 ms, and the event loop shares two cores with the compute thread, the threads of the garbage collector and the client.",
  "quote during these calls, p99":
    "A quote waits until the event loop is free. In a CPU profile of the five scans, the event loop is idle 7 % of the time. Of its work, simulating the price histories takes 47 %, which a provider delivers in the live market, garbage collection 13 %, Node 11 % and analytics 9 %; no other part takes more than 3 %.",
  "repeated signal over REST":
    "Between 3,300 and 6,700 signals per second were measured as the speed of the machine changed. In a CPU profile, writing the response to the socket takes 17 % and garbage collection 10 %; no other function takes more than 3 %.",
  "longest pause of the event loop, backtest sweep of 1,950 parameter pairs":
    "The sweep runs in a thread; single runs gave 8 to 50 ms. The event loop shares two cores with that thread, the threads of the garbage collector and the client.",
  "longest pause of the event loop, first 10 s of a new installation":
    "Earlier runs gave 33 to 47 ms. In a CPU profile of this run, the longest step was the market sentiment index over all symbols with 53 ms and a garbage collection of 25 ms; its parts are now computed in separate steps.",
  "MCP over stdio, one call at a time, relative to the bare SDK":
    "Single runs gave 0.87 to 0.93. In a CPU profile, writing results and log lines to pipes takes 31 % and garbage collection 13 %; no other function takes more than 3 %. Each call is counted, validated and logged, which the bare SDK does not do.",
  "memory, idle": "Node alone takes 39 MB; the rest is the code and the schemas of all tools.",
  "memory after 8000 mixed calls":
    "Of 327 MB, the heap took 150 MB, of which 105 MB were in use: 45 MB by the program and its schemas, the rest by the simulated market and cached answers. Buffers of bars and results took 20 MB and Node itself 39 MB. Most of the rest is held by the allocator of the C library: with MALLOC_ARENA_MAX=1 in the environment the process took 40 MB less.",
  "MCP over HTTP, 2026-07-28, relative to the bare SDK":
    "In a CPU profile, sockets and the HTTP server of Node take 22 %, parsing and checking the body and writing the result 18 %, Hono and its adapter 10 %; no other part takes more than 5 %.",
  "market-signal get-quote AAPL":
    "In a CPU profile of 480 ms, evaluating the modules takes 155 ms, most of it for the schemas of all tools, garbage collection 65 ms, opening the database and the market 54 ms, loading the compiled code 52 ms and simulating the price 49 ms; most of the rest is the start of Node.",
  "market-signal signal AAPL":
    "As for a quote. In addition, simulating the price histories of the symbol and of the symbols it is compared with takes a third of the time; in the live market a provider delivers them.",
  "uncached signals without threads, two processes relative to one":
    "One process without compute threads used 1.25 cores, because the garbage collector and the database have threads of their own, and the client used 0.1 cores: two cores are too few for two such processes.",
  "backtest of a moving average crossover, million bars/s":
    "Run alone, this benchmark gave 13 to 19; the figure depends on the other load of the machine.",
  "nightly run of 5,000 symbols with 500 bars":
    "The run takes 10 to 12 s of processor time, which two cores share almost evenly. In a CPU profile of a thread, structures take 44 % of a row, the consensus of the drivers 33 % and the hash of all inputs 20 %, of which 60 KB a symbol are names of peers and the ranks of all members.",
  "memory of the nightly run, peak":
    "The bars of all symbols take 120 MB (5,000 x 500 x 6 numbers); the benchmark holds them a second time as its market.",
};
