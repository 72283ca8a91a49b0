import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageMessage } from '../views/PageViews.ts';
import { followStream } from './callServer.ts';
import { RolloutHistory } from './RolloutHistory.ts';
import { nothingTold, takeMessage, type Told } from './Told.ts';

export interface Stream {
  readonly told: Told;
  /** What was told before, for a page that keeps it. */
  readonly history: RolloutHistory | undefined;
  /** Why nothing more is told now. */
  readonly lost: string | undefined;
}

interface Seen {
  readonly told: Told;
  readonly history: RolloutHistory | undefined;
}

/** Follows a stream, and draws again at most once a frame. */
export function useStream(path: string, { keepsHistory = false } = {}): Stream {
  const seen = useRef<Seen>(nothingSeen(keepsHistory));
  const [, draw] = useState(0);
  const [lost, setLost] = useState<string>();
  useEffect(() => {
    const { told, history } = (seen.current = nothingSeen(keepsHistory));
    let frame = 0;
    const stop = followStream<PageMessage>(
      path,
      (message) => {
        takeMessage(told, message);
        history?.add(message, told);
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          draw(told.messageCount);
        });
      },
      setLost,
    );
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [path, keepsHistory]);
  return { ...seen.current, lost };
}

function nothingSeen(keepsHistory: boolean): Seen {
  return { told: nothingTold(), history: keepsHistory ? new RolloutHistory() : undefined };
}
