import { clock } from "./clock.ts";
import { testProof } from "./test-proof.ts";

testProof(clock);
