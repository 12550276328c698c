import { fuzz } from "./fuzz.ts";
import { testProof } from "./test-proof.ts";

testProof(fuzz);
