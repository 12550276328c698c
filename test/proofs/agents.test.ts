import { agents } from "./agents.ts";
import { testProof } from "./test-proof.ts";

testProof(agents);
