import type { Colours } from './colours.ts';
import { parseCommand } from './parseCommand.ts';
import type { SendRequest } from '../host/SendRequest.ts';
import { findServer, NAME_THE_SERVER, type ServerPlace, serverPlacesOf } from './serverPlaces.ts';
import { UsageError } from '../host/UsageError.ts';

export interface ExplainOptions {
  /** `deployment/default/web` */
  readonly key: string;
  /** The places to look for the server; the first where Driftless answers is asked. */
  readonly places: readonly ServerPlace[];
}

/** The answer of one server: an explanation, or the problem. `isElsewhere` says that the server is not Driftless, or that nothing answers. */
type Answer = { readonly text: string } | { readonly problem: string; readonly isElsewhere: boolean };

/** Asks a running server to explain a key; resolves to its answer. Throws a UsageError if no server answers at any of the places, or the first that does refuses or does not know the key. */
export async function runExplain({ key, places }: ExplainOptions): Promise<string> {
  const problems: string[] = [];
  for (const place of places) {
    const answer = await askAt(place, key);
    if ('text' in answer) return answer.text;
    problems.push(answer.problem);
    if (!answer.isElsewhere) throw new UsageError(answer.problem);
  }
  throw new UsageError(`${problems.join('; ')}; ${NAME_THE_SERVER}`);
}

/** Sets the headings of an explanation apart, which are the lines at the margin. Pure. */
export function colourExplanation(text: string, { bold }: Colours): string {
  return text.replaceAll(/^\S.*$/gm, (heading) => bold(heading));
}

/** Parses the words after `explain`. Throws a UsageError for anything that it does not take. */
export function parseExplainOptions(args: readonly string[], environment = process.env): ExplainOptions {
  const { values, argument } = parseCommand('explain', args);
  return { key: argument, places: serverPlacesOf(values, environment) };
}

async function askAt(place: ServerPlace, key: string): Promise<Answer> {
  try {
    const { server, open } = findServer(place);
    const api = await open();
    try {
      return await ask(api.send, server, key);
    } finally {
      await api.close();
    }
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message, isElsewhere: true };
    throw error;
  }
}

async function ask(send: SendRequest, server: string, key: string): Promise<Answer> {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const response = await send(`/debug/explain/${path}`);
  const text = await response.text();
  if (response.ok) return { text };
  const isElsewhere = !(await isOurs(send));
  return { problem: isElsewhere ? `the server at ${server} is not Driftless` : messageOf(text), isElsewhere };
}

/** A server that refuses to tell its version is believed to be ours. */
async function isOurs(send: SendRequest): Promise<boolean> {
  const response = await send('/version');
  const text = await response.text();
  return !response.ok || text.includes('+driftless');
}

/** The API refuses with a Status, the explanation itself with a text. */
function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : text.trim();
  } catch {
    return text.trim();
  }
}
