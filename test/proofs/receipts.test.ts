import { proves } from "./proves.ts";
import { receipts } from "./receipts.ts";

proves(receipts);
