import { ledger } from "./ledger.ts";
import { testProof } from "./test-proof.ts";

testProof(ledger);
