import { join, resolve } from 'node:path';
import { type ControlPlaneApi, openControlPlane } from './ControlPlaneApi.ts';
import { type KubeconfigContext, kubeconfigPaths, readKubeconfigContext } from './KubeconfigContext.ts';
import { openKubeconfigContext } from './openKubeconfigContext.ts';
import { parseDataDir } from './parseDataDir.ts';
import { UsageError } from '../host/UsageError.ts';

/** Where a server may be: at a URL, or where a context of these files says. */
export type ServerPlace =
  | { readonly server: string }
  | { readonly kubeconfigs: readonly string[]; readonly context?: string | undefined };

/** What the options of a command say of its server. */
export interface ServerValues {
  readonly server?: string | undefined;
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly 'data-dir'?: string | undefined;
}

/** What a command says when no server answers. */
export const NAME_THE_SERVER = 'name the server by --server, --context or --data-dir';

/** A place that was found; its server has not been asked yet. */
export interface FoundServer {
  /** The server's URL. */
  readonly server: string;
  /** The context that names the server, as it was read. */
  readonly context?: KubeconfigContext;
  /** Opens the way to the server. Rejects with a UsageError if it cannot be opened. */
  readonly open: () => Promise<ControlPlaneApi>;
}

/** Returns the places to look for the server, in this order. Throws a UsageError for options that contradict each other, or an empty one. */
export function serverPlacesOf(values: ServerValues, environment: NodeJS.ProcessEnv): readonly ServerPlace[] {
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

/** Finds the server of a place. Throws a UsageError if the kubeconfig cannot be read, or does not name it. */
export function findServer(place: ServerPlace): FoundServer {
  if ('server' in place) return { server: place.server, open: () => openControlPlane(place) };
  const { kubeconfigs, context: wanted } = place;
  const context = readContext(kubeconfigs, wanted);
  if (!context) {
    const which = wanted === undefined ? 'no server' : `no context ${wanted}`;
    throw new UsageError(`${kubeconfigs.join(', ')} names ${which}`);
  }
  // kubectl finds several files by itself, as this command did.
  const kubeconfig = kubeconfigs.length === 1 ? kubeconfigs[0] : undefined;
  return { server: context.server, context, open: () => openKubeconfigContext(context, kubeconfig) };
}

function readContext(paths: readonly string[], context: string | undefined): KubeconfigContext | undefined {
  try {
    return readKubeconfigContext(paths, context);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`the kubeconfig ${paths.join(', ')} cannot be used: ${why}`, { cause });
  }
}
