import { caches } from "./caches.ts";
import { testProof } from "./test-proof.ts";

testProof(caches);
