import { signIn } from "./sign-in.ts";
import { testProof } from "./test-proof.ts";

testProof(signIn);
