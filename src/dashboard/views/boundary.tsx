import { Component, type ReactNode } from "react";

interface BoundaryProps {
  /** Drawn in place of the children after one of them threw. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Draws the fallback if its children throw, so that the rest of the page stays. */
export class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
