import { access } from "../proofs/access.ts";
import { testProof } from "../proofs/test-proof.ts";

testProof(access);
