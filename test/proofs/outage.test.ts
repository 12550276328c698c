import { onPostgres } from "../support/postgres.ts";
import { outage } from "./outage.ts";
import { testProof } from "./test-proof.ts";

onPostgres.describe("PostgreSQL", () => testProof(outage));
