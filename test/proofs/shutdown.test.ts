import { shutdown } from "./shutdown.ts";
import { testProof } from "./test-proof.ts";

testProof(shutdown);
