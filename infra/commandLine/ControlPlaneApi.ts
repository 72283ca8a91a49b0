import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SendRequest } from '../host/SendRequest.ts';
import { UsageError } from '../host/UsageError.ts';
import { sendOverNode } from './sendOverNode.ts';

/** A way to a control plane's REST API, as an administrator. */
export interface ControlPlaneApi {
  readonly send: SendRequest;
  close(): Promise<void>;
}

/** Where a control plane is: a server without authentication, or a context of a kubeconfig (absent: of kubectl's own). */
export type ControlPlanePlace =
  | { readonly server: string }
  | { readonly context: string; readonly kubeconfig?: string | undefined };

/** Opens the way to a control plane. Throws a UsageError if it does not answer. */
export async function openControlPlane(place: ControlPlanePlace): Promise<ControlPlaneApi> {
  return 'server' in place ? openServer(place.server) : await openContext(place.context, place.kubeconfig);
}

function openServer(server: string): ControlPlaneApi {
  const base = server.replace(/\/$/, '');
  const send: SendRequest = async (path, init) => {
    try {
      return await fetch(base + path, init);
    } catch (cause) {
      throw new UsageError(`no server answers at ${server}`, { cause });
    }
  };
  return { send, close: async () => {} };
}

/**
 * Reaches a context by `kubectl proxy`, which knows every kind of credentials. The proxy listens on a socket in a directory of this user only, so that no other user of the machine can act as
 * its administrator.
 */
async function openContext(context: string, kubeconfig: string | undefined): Promise<ControlPlaneApi> {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-proxy-'));
  const socketPath = join(directory, 'socket');
  // The URL of a stack's API has the stage as its path, which kubectl leaves out unless it is told.
  const args = ['proxy', `--unix-socket=${socketPath}`, '--append-server-path', `--context=${context}`];
  const proxy = spawn('kubectl', kubeconfig === undefined ? args : [...args, `--kubeconfig=${kubeconfig}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const close = async () => {
    if (proxy.pid !== undefined && proxy.exitCode === null && proxy.signalCode === null) {
      const ended = once(proxy, 'exit');
      proxy.kill();
      await ended;
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await untilServing(proxy, context);
    return {
      send: (path, init) => sendOverNode(request, { socketPath, path }, 'the control plane does not answer', init),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function untilServing(proxy: ChildProcess, context: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    proxy.stdout?.on('data', (text: Buffer) => {
      if (text.toString().includes('Starting to serve')) resolve();
    });
    proxy.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
    });
    proxy.once('error', (cause) => reject(new UsageError('--context needs kubectl, which cannot be run', { cause })));
    proxy.once('exit', () => reject(new UsageError(`kubectl cannot use the context ${context}: ${said.trim()}`)));
  });
}
