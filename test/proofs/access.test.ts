import { access } from "./access.ts";
import { testProof } from "./test-proof.ts";

testProof(access);
