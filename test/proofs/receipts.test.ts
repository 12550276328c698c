import { receipts } from "./receipts.ts";
import { testProof } from "./test-proof.ts";

testProof(receipts);
