import { writeFileSync } from "node:fs";
import { labelledQuestions, labelledRequests } from "../features/requests/model/labelled.ts";
import { encodeModels } from "../features/requests/model/model.ts";
import { trainModel } from "../features/requests/model/train.ts";
import { createDirectory } from "../market/symbols/directory.ts";
import { LISTINGS } from "../providers/sample/listing.ts";
import { catalogue } from "./catalogue.ts";

// Run by the build: trains the classifiers of requests on the tools of the catalogue and on the names of the simulated
// market, and writes them to a file.
const [, , file] = process.argv;
const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
const tools = trainModel(labelledRequests(Object.values(catalogue)));
writeFileSync(file!, encodeModels({ tools, intents: trainModel(labelledQuestions(symbols)) }));
