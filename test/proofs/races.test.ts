import { onPostgres } from "../support/postgres.ts";
import { races } from "./races.ts";
import { testProof } from "./test-proof.ts";

// on SQLite, the proofs of one folder with several processes are kill, deliveries and agents
onPostgres.describe("PostgreSQL", () => testProof(races));
