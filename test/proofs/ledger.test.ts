import { ledger } from "./ledger.ts";
import { proves } from "./proves.ts";

proves(ledger);
