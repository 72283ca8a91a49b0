import { afterAll, beforeAll, expect } from 'vitest';
import { isCloud, SERVER_ARGUMENTS } from '../e2e/serverArguments.ts';
import { type KubectlOptions, kubectlFor, RunningKubectl, runKubectl } from './kubectl.ts';
import type { ProgramResult } from './runProgram.ts';
import { ServerProcess } from './ServerProcess.ts';
import { sharedServer } from './sharedServer.ts';

/** Runs a command that must succeed; resolves to its output. */
type Says = ReturnType<typeof kubectlFor>;

/** kubectl's commands in one namespace. */
export interface NamespacedKubectl {
  readonly says: Says;
  /** Runs a command that must fail with code 1; resolves to its standard error. */
  readonly fails: (commandLine: string, input?: string) => Promise<string>;
  /** Runs a command that must succeed; resolves to its rows, without the header. */
  readonly rows: (commandLine: string) => Promise<string[]>;
}

/** One server for the tests of a `describe`, and kubectl as its client. */
export interface KubectlServer {
  readonly kubectl: Says;
  /** The path of the kubeconfig, for other clients. Known once the server has started. */
  readonly kubeconfig: () => string;
  /** Runs a command that may fail. */
  readonly run: (args: readonly string[], options?: KubectlOptions) => Promise<ProgramResult>;
  /** Starts a command that runs until it is ended. */
  readonly start: (args: readonly string[]) => RunningKubectl;
  /** Makes the body of a test that runs in its own namespace, so that tests cannot disturb each other. */
  readonly inNamespace: (name: string, body: (commands: NamespacedKubectl) => Promise<void>) => () => Promise<void>;
}

export interface KubectlServerOptions {
  /** Runs before the first test. */
  readonly prepare?: (kubectl: Says) => Promise<unknown>;
  /** The path of the kubectl. Absent: the one in the PATH. */
  readonly program?: string | undefined;
  /** The server's arguments. Absent: those of the server under test. */
  readonly args?: readonly string[];
}

/**
 * Starts a server before the tests of the calling `describe` and ends it after them. The files of a process share one emulated cloud: a test leaves no definition, no
 * policy and no cordoned node behind.
 */
export function kubectlServer({ prepare, program, args = SERVER_ARGUMENTS }: KubectlServerOptions = {}): KubectlServer {
  // The start of an emulated cloud takes as long as the tests of a file.
  const isShared = isCloud && args === SERVER_ARGUMENTS;
  let server: ServerProcess;
  let kubectl: Says;
  beforeAll(async () => {
    server = await (isShared ? sharedServer(args) : ServerProcess.start(args));
    kubectl = kubectlFor(server.kubeconfig, program);
    await prepare?.(kubectl);
  }, 180_000);
  afterAll(() => (isShared ? undefined : server?.dispose()));

  const says: Says = (commandLine, options) => kubectl(commandLine, options);
  const run = (words: readonly string[], options?: KubectlOptions) =>
    runKubectl(server.kubeconfig, words, { ...(program && { program }), ...options });
  return {
    kubectl: says,
    run,
    kubeconfig: () => server.kubeconfig,
    start: (words) => new RunningKubectl(server.kubeconfig, words),
    inNamespace: (name, body) => async () => {
      await says(`create namespace ${name}`);
      await body(namespacedKubectl(name, says, run));
    },
  };
}

function namespacedKubectl(name: string, kubectl: Says, run: KubectlServer['run']): NamespacedKubectl {
  const says: Says = (commandLine, options) => kubectl(`-n ${name} ${commandLine}`, options);
  const fails = async (commandLine: string, input = '') => {
    const { code, stderr } = await run(['-n', name, ...commandLine.split(' ')], { input });
    expect(code).toBe(1);
    return stderr.trimEnd();
  };
  const rows = async (commandLine: string) =>
    (await says(`${commandLine} --no-headers`)).trim().split('\n').filter(Boolean);
  return { says, fails, rows };
}
