import { readLines } from '../../host/readLines.ts';

const HEADERS = { 'x-driftless-dashboard': '1' };
const CALLS = '/dashboard/api';

/** Reads an answer of the page's server. Throws an Error with the reason that the server gives. */
export async function readFromServer<T>(path: string): Promise<T> {
  return await answerOf<T>(await fetch(CALLS + path, { headers: HEADERS }));
}

/** Sends something to the page's server, and reads its answer. */
export async function sendToServer<T>(path: string, body: object): Promise<T> {
  const headers = { ...HEADERS, 'content-type': 'application/json' };
  return await answerOf<T>(await fetch(CALLS + path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  throw new Error(problemOf(text));
}

/** Why a call failed, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function problemOf(text: string): string {
  try {
    const { problem } = JSON.parse(text) as { readonly problem?: unknown };
    if (typeof problem === 'string') return problem;
  } catch {
    // Not JSON: the text itself says it.
  }
  return text.slice(0, 400);
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** Follows a stream of lines while the page is visible, and begins it again whenever it ends. Returns what stops it. */
export function followStream<T>(
  path: string,
  took: (message: T) => void,
  lost: (why: string | undefined) => void,
): () => void {
  let running: AbortController | undefined;
  const open = async (signal: AbortSignal) => {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      let why = 'The server does not answer. What you see may be old.';
      try {
        const response = await fetch(CALLS + path, { headers: HEADERS, signal });
        if (!response.ok) why = problemOf(await response.text());
        else if (response.body)
          for await (const line of readLines(response.body)) {
            pauseMs = FIRST_PAUSE_MS;
            lost(undefined);
            took(JSON.parse(line) as T);
          }
      } catch {
        // The server is being restarted, or the page was hidden: the loop sees which.
      }
      if (signal.aborted) return;
      lost(why);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const look = () => {
    if (document.visibilityState === 'hidden') {
      running?.abort();
      running = undefined;
    } else if (!running) {
      running = new AbortController();
      void open(running.signal);
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    running?.abort();
  };
}
