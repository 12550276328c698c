import { supervisor } from "./supervisor.ts";
import { testProof } from "./test-proof.ts";

testProof(supervisor);
