import { type RefObject, useEffect, useRef, useState } from "react";

/** Returns a reference to an element, and its width in pixels as it changes; 0 until it is drawn. */
export function useWidth(): readonly [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const target = element.current!;
    const measure = () => setWidth(Math.round(target.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
