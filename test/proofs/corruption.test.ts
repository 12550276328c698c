import { corruption } from "./corruption.ts";
import { testProof } from "./test-proof.ts";

testProof(corruption);
