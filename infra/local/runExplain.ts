import { join, resolve } from 'node:path';
import type { Colours } from '../commandLine/colours.ts';
import { parseCommand, type ValuesOf } from '../commandLine/parseCommand.ts';
import { type ControlPlaneApi, openControlPlane } from '../transfer/ControlPlaneApi.ts';
import { kubeconfigPaths, readKubeconfigContext } from '../transfer/KubeconfigContext.ts';
import { openKubeconfigContext } from '../transfer/openKubeconfigContext.ts';
import type { SendRequest } from './applyManifest.ts';
import { parseDataDir } from './parseDataDir.ts';
import { UsageError } from './UsageError.ts';

/** Where a server may be: at a URL, or where a context of these files says. */
export type ExplainPlace =
  | { readonly server: string }
  | { readonly kubeconfigs: readonly string[]; readonly context?: string | undefined };

export interface ExplainOptions {
  /** `deployment/default/web` */
  readonly key: string;
  /** The places to look for the server; the first where Driftless answers is asked. */
  readonly places: readonly ExplainPlace[];
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
  throw new UsageError(`${problems.join('; ')}; name the server by --server, --context or --data-dir`);
}

/** Sets the headings of an explanation apart, which are the lines at the margin. Pure. */
export function colourExplanation(text: string, { bold }: Colours): string {
  return text.replaceAll(/^\S.*$/gm, (heading) => bold(heading));
}

/** Parses the words after `explain`. Throws a UsageError for anything that it does not take. */
export function parseExplainOptions(args: readonly string[], environment = process.env): ExplainOptions {
  const { values, argument } = parseCommand('explain', args);
  return { key: argument, places: placesOf(values, environment) };
}

function placesOf(values: ValuesOf<'explain'>, environment: NodeJS.ProcessEnv): readonly ExplainPlace[] {
  const { server, context, kubeconfig, 'data-dir': dataDir } = values;
  for (const [option, value] of Object.entries({ server, context, kubeconfig }))
    if (value === '') throw new UsageError(`--${option} must not be empty`);
  if ([server, dataDir, context ?? kubeconfig].filter((value) => value !== undefined).length > 1)
    throw new UsageError('name one of --server, --context (with --kubeconfig) and --data-dir');
  if (server !== undefined) return [{ server }];
  const ofDirectory = { kubeconfigs: [join(parseDataDir(dataDir), 'kubeconfig')] };
  if (dataDir !== undefined) return [ofDirectory];
  const kubeconfigs = kubeconfig === undefined ? kubeconfigPaths(environment) : [resolve(kubeconfig)];
  const ofContext = { kubeconfigs, context };
  return context === undefined && kubeconfig === undefined ? [ofContext, ofDirectory] : [ofContext];
}

async function askAt(place: ExplainPlace, key: string): Promise<Answer> {
  try {
    const found = await open(place);
    if ('problem' in found) return { problem: found.problem, isElsewhere: true };
    try {
      return await ask(found.api.send, found.server, key);
    } finally {
      await found.api.close();
    }
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message, isElsewhere: true };
    throw error;
  }
}

async function open(
  place: ExplainPlace,
): Promise<{ readonly server: string; readonly api: ControlPlaneApi } | { readonly problem: string }> {
  if ('server' in place) return { server: place.server, api: await openControlPlane(place) };
  const { kubeconfigs, context } = place;
  const found = readContext(kubeconfigs, context);
  if (found) return { server: found.server, api: await openContext(found, kubeconfigs) };
  const which = context === undefined ? 'no server' : `no context ${context}`;
  return { problem: `${kubeconfigs.join(', ')} names ${which}` };
}

/** kubectl finds several files by itself, as this command did. */
function openContext(
  found: Parameters<typeof openKubeconfigContext>[0],
  paths: readonly string[],
): Promise<ControlPlaneApi> {
  return openKubeconfigContext(found, paths.length === 1 ? paths[0] : undefined);
}

function readContext(paths: readonly string[], context: string | undefined) {
  try {
    return readKubeconfigContext(paths, context);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`the kubeconfig ${paths.join(', ')} cannot be used: ${why}`, { cause });
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
