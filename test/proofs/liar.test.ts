import { liar } from "./liar.ts";
import { testProof } from "./test-proof.ts";

testProof(liar);
