import { useEffect, useState } from 'preact/hooks';
import { type WatchCounts, sayWatchCosts } from '../views/sayWatchCosts.ts';
import { readFromServer } from './callServer.ts';

const READ_MS = 5_000;

/** What the page costs while it is open. */
export function Costs({ isCloud }: { readonly isCloud: boolean }) {
  const [counts, setCounts] = useState<WatchCounts>();
  useEffect(() => {
    const read = () => {
      if (document.visibilityState === 'visible') readFromServer<WatchCounts>('/costs').then(setCounts, () => {});
    };
    // The watches begin with the page's stream, which is asked for at the same time.
    const first = setTimeout(read, 500);
    const timer = setInterval(read, READ_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, []);
  return <footer>{counts && sayWatchCosts(counts, isCloud)}</footer>;
}
