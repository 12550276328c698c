/** The agent catalogue: one line per agent, nothing else. */
export { reviewPortfolio } from "./review-portfolio.ts";
export { routeRequest } from "./route-request.ts";
export { runAgentOperation } from "./run-agent-operation.ts";
export { runCustomAgent } from "./run-custom-agent.ts";
export { runEdgeAgent } from "./run-edge-agent.ts";
export { runMomentumAgent } from "./run-momentum-agent.ts";
export { runPredictionNewsAgent } from "./run-prediction-news-agent.ts";
