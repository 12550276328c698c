import { Alert, Button } from "@mantine/core";

/** Stands in place of a page that could not be drawn or loaded. */
export const PageFailed = () => (
  <Alert color="red" role="alert" title="This page cannot be drawn">
    <p>Nothing is lost. Load it again, or open another page.</p>
    <Button size="xs" variant="default" onClick={() => location.reload()}>
      Load again
    </Button>
  </Alert>
);
