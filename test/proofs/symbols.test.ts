import { symbols } from "./symbols.ts";
import { testProof } from "./test-proof.ts";

testProof(symbols);
