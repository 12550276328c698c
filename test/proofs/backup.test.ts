import { backup } from "./backup.ts";
import { testProof } from "./test-proof.ts";

testProof(backup);
