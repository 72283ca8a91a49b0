import { KUBERNETES_RELEASES, NEWEST_RELEASE } from '../../lambdas/objects/KubernetesRelease.ts';
/** One option of a command, as `parseArgs` of node:util takes it, with what help and completion say of it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** The letter of its short form. */
  readonly short?: string;
  /** The option may be repeated. */
  readonly multiple?: boolean;
  /** What stands for its value in the help: `N`. Absent for a flag. */
  readonly value?: string;
  /** What a shell offers for its value. Absent: nothing. */
  readonly offers?: Offered;
  /** What it does, in one line. */
  readonly does: string;
}

/** The values that a shell offers: files, directories, or these words. */
export type Offered = 'files' | 'directories' | readonly string[];

/** One command of `driftless`. */
export interface Command {
  /** What it does, in one line. */
  readonly does: string;
  /** The one argument that it takes. Absent: none. */
  readonly takes?: { readonly name: string; readonly what: string; readonly offers?: Offered };
  readonly options: Readonly<Record<string, CommandOption>>;
}

const HELP = { type: 'boolean', short: 'h', does: 'show this help' } as const;
const DATA_DIR = { type: 'string', value: 'DIR', offers: 'directories' } as const;
const FILE = { type: 'string', value: 'FILE', offers: 'files' } as const;
const SERVER = { type: 'string', value: 'URL' } as const;
const CONTEXT = { type: 'string', value: 'NAME' } as const;
const KUBECONFIG = { ...FILE, does: 'the kubeconfig of --context (default: that of kubectl)' } as const;
/** How a command finds a running server. */
const RUNNING_SERVER = {
  server: { ...SERVER, does: 'the server (default: that of the kubeconfig, then that of the data directory)' },
  context: { ...CONTEXT, does: 'the context of the kubeconfig (default: its current one)' },
  kubeconfig: { ...FILE, does: 'the kubeconfig (default: that of kubectl)' },
  'data-dir': { ...DATA_DIR, does: 'the directory of the server (default .driftless)' },
} as const;

/** The commands with their options. What parses them, helps with them and completes them in a shell reads this table. */
export const COMMANDS = {
  start: {
    does: 'start a control plane on this machine; this is what driftless does without a command',
    options: {
      port: { type: 'string', value: 'N', does: 'listen on port N (default 8001; 0 picks a free one)' },
      'data-dir': {
        ...DATA_DIR,
        does: 'keep the objects in this directory (default .driftless; of a server that keeps none, a new one)',
      },
      ephemeral: {
        type: 'boolean',
        does: 'keep nothing: the kubeconfig is in a folder of its own, which ends with the server',
      },
      kubeconfig: { ...FILE, does: 'write the kubeconfig to this file (default: into the data directory)' },
      'ready-file': { ...FILE, does: 'write url, kubeconfig and pid to this file, as JSON, once the server is ready' },
      clock: {
        type: 'string',
        value: 'KIND',
        offers: ['real', 'virtual'],
        does: 'a virtual clock stands still until a test moves it (default real)',
      },
      'start-time': {
        type: 'string',
        value: 'TIME',
        does: 'the first time of a virtual clock (default 2026-01-01T00:00:00Z)',
      },
      testing: {
        type: 'boolean',
        does: 'serve faults and behaviours of pods for tests; --clock virtual does so anyway',
      },
      filename: {
        ...FILE,
        short: 'f',
        multiple: true,
        does: 'apply the manifest and show its rollout (may be repeated)',
      },
      nodes: { type: 'string', value: 'N', does: 'create N simulated nodes (default 3)' },
      controllers: { type: 'string', value: 'LIST', does: 'switch controllers off: --controllers=-deployment,-job' },
      'terminated-pod-gc-threshold': {
        type: 'string',
        value: 'N',
        does: 'keep N pods that have ended (default 12500; 0 keeps all)',
      },
      'kubernetes-version': {
        type: 'string',
        value: 'VERSION',
        offers: [...KUBERNETES_RELEASES],
        does: `serve the API of this release of Kubernetes (default ${NEWEST_RELEASE})`,
      },
      'service-cluster-ip-range': {
        type: 'string',
        value: 'CIDR[,CIDR]',
        does: 'give Services addresses from these ranges (default 10.96.0.0/12)',
      },
      'service-node-port-range': {
        type: 'string',
        value: 'FIRST-LAST',
        does: 'give Services node ports from this range (default 30000-32767)',
      },
      'user-requests': {
        type: 'string',
        value: 'N[:BURST]',
        does: 'answer a user N requests a second (default any number)',
      },
      'namespace-requests': {
        type: 'string',
        value: 'N[:BURST]',
        does: 'answer N requests a second about a namespace (default any number)',
      },
      rbac: { type: 'boolean', does: 'clients authenticate, and RBAC decides what they may do' },
      tls: { type: 'boolean', does: 'as --rbac, with an authority for certificates of nodes and users' },
      listen: { type: 'string', value: 'ADDRESS', does: 'listen on this IP address (default 127.0.0.1)' },
      'audit-log-path': {
        ...FILE,
        does: 'write audit events to this file (- is standard output); needs --audit-policy-file',
      },
      'audit-policy-file': { ...FILE, does: 'what is audited: an audit.k8s.io/v1 Policy' },
      'audit-log-maxsize': {
        type: 'string',
        value: 'MB',
        does: 'rename the audit log when it is as large (default 100)',
      },
      'audit-log-maxbackup': { type: 'string', value: 'N', does: 'keep N renamed audit logs (default 0: all)' },
      'audit-log-maxage': {
        type: 'string',
        value: 'DAYS',
        does: 'keep renamed audit logs so long (default 0: for ever)',
      },
      'tracing-endpoint': {
        type: 'string',
        value: 'URL',
        does: 'send the spans of traces to this OTLP/HTTP collector (http://127.0.0.1:4318/v1/traces)',
      },
      'tracing-sampling-rate': {
        type: 'string',
        value: 'RATE',
        does: 'of so large a share of the writes a trace begins, 0 to 1 (default 1)',
      },
      'webhook-service': {
        type: 'string',
        value: 'NAMESPACE/NAME=HOST:PORT',
        multiple: true,
        does: 'where the service of a webhook is (may be repeated)',
      },
      'emulate-cloud': { type: 'boolean', does: 'run the functions of the AWS stack on emulators (in a clone only)' },
      api: {
        type: 'string',
        value: 'KIND',
        offers: ['function', 'container'],
        does: 'what answers the API of the emulated cloud (default function)',
      },
      'account-concurrency': {
        type: 'string',
        value: 'N',
        does: "the emulated account's quota of concurrent executions (default 10)",
      },
      version: { type: 'boolean', does: 'show the version' },
      help: HELP,
    },
  },
  explain: {
    does: 'explain the state of an object on a running server, and what it waits for',
    takes: { name: 'KEY', what: 'one key, such as deployment/default/web' },
    options: { ...RUNNING_SERVER, help: HELP },
  },
  dashboard: {
    does: 'serve the page of a running server, or of any other Kubernetes',
    options: {
      ...RUNNING_SERVER,
      port: { type: 'string', value: 'N', does: 'listen on port N of 127.0.0.1 (default: a free one)' },
      namespace: {
        type: 'string',
        short: 'n',
        value: 'NAME',
        does: 'show this namespace alone, for a user who may not watch the others (default: all)',
      },
      help: HELP,
    },
  },
  export: {
    does: 'write all objects as a List that kubectl apply takes',
    options: {
      output: { ...FILE, short: 'o', does: 'write to this file (default: standard output)' },
      'data-dir': { ...DATA_DIR, does: 'export from this directory, which no server uses (default .driftless)' },
      server: { ...SERVER, does: 'export from this server' },
      context: { ...CONTEXT, does: 'export from this context, through kubectl' },
      kubeconfig: KUBECONFIG,
      complete: { type: 'boolean', does: 'keep UIDs, owners and times, for driftless import' },
      salvage: { type: 'boolean', does: 'write what can be read of a damaged directory' },
      help: HELP,
    },
  },
  import: {
    does: 'bring the objects of an export into a control plane',
    options: {
      filename: { ...FILE, short: 'f', does: 'the file to read; - is standard input' },
      'data-dir': { ...DATA_DIR, does: 'import into this directory, which no server uses (default .driftless)' },
      server: { ...SERVER, does: 'import into this server' },
      context: { ...CONTEXT, does: 'import into this context, through kubectl' },
      kubeconfig: KUBECONFIG,
      help: HELP,
    },
  },
  completion: {
    does: 'write the script that completes this command line in a shell',
    takes: { name: 'SHELL', what: 'one shell: bash, zsh or fish', offers: ['bash', 'zsh', 'fish'] },
    options: { help: HELP },
  },
} as const satisfies Readonly<Record<string, Command>>;

/** The name of a command. */
export type CommandName = keyof typeof COMMANDS;

/** True if there is a command of this name. */
export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
