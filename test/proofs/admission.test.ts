import { admission } from "./admission.ts";
import { testProof } from "./test-proof.ts";

testProof(admission);
