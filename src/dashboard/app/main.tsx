import "../theme/mantine.css";
import "../theme/tokens.css";
import "../views/view.css";
import "./app.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { mayRetry } from "../api/repeat.ts";
import { theme } from "../theme/mantine.ts";
import { preloadPage } from "./pages.tsx";
import { Shell } from "./shell.tsx";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
const queries = new QueryClient({ defaultOptions: { queries: { retry: mayRetry, staleTime: 30_000 } } });

preloadPage(location.pathname);
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <Shell />
      </MantineProvider>
    </QueryClientProvider>
  </StrictMode>,
);
