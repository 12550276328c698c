/** The built pages and views for people. */
export interface DashboardFiles {
  /** Paths of all files, such as `index.html`, `assets/main-1A2B.js` and `views/signal.html`; none before a build. */
  paths(): readonly string[];
  /** Returns the bytes of one of them. @throws Error for any other path */
  read(path: string): Buffer;
}
