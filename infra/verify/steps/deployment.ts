import { deployedOfType } from '../StackAccount.ts';
import { type Cloud, cloudOf, type Place, unlessInCloud } from '../Place.ts';
import { failed, ok, type Step, type Verdict } from '../Step.ts';

/** Whether the template was deployed to its end. */
export const stack: Step<string> = {
  id: 'stack',
  expects:
    'The deployment ended without an error, with its last steps: every key is queued, and the tables are protected.',
  unavailable: unlessInCloud,
  observe: (place) => Promise.resolve(cloudOf(place).stack.status),
  judge: judgeStatus,
};

const DEPLOYED: ReadonlySet<string> = new Set([
  'CREATE_COMPLETE',
  'UPDATE_COMPLETE',
  'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
  'IMPORT_COMPLETE',
]);

export function judgeStatus(status: string): Verdict {
  if (DEPLOYED.has(status)) return ok(`The stack is ${status}.`);
  return failed(`The stack is ${status}: CloudFormation's events say why.`);
}

export interface ContainerFacts {
  readonly listKind: string;
  /** The HTTP status of a name that has a character which proxies like to decode. */
  readonly encodedStatus: number;
}

/** An object of this name cannot exist, so the API answers 404 to the whole path, and 200 or 400 to one that was cut or decoded. */
const ENCODED = '/api/v1/namespaces/default/configmaps/not%25there';
const NOT_FOUND = 404;

/** Whether API Gateway passes whole paths on to a container. */
export const container: Step<ContainerFacts> = {
  id: 'container',
  expects: 'The container was built of its image, runs, and gets every path whole through API Gateway.',
  unavailable: (place) =>
    unlessInCloud(place, ({ stack: deployed }) => (isContainer(deployed) ? undefined : 'the API is a function')),
  async observe({ api }) {
    const { kind } = await api.get<{ readonly kind: string }>('/apis/apps/v1/deployments?limit=1');
    return { listKind: kind, encodedStatus: await api.statusOf(ENCODED) };
  },
  judge: judgeContainer,
};

export function isContainer(stack_: Cloud['stack']): boolean {
  return deployedOfType(stack_, 'AWS::ECS::Service').length > 0;
}

export function judgeContainer({ listKind, encodedStatus }: ContainerFacts): Verdict {
  if (listKind !== 'DeploymentList') return failed(`/apis/apps/v1/deployments answers a ${listKind}.`);
  if (encodedStatus !== NOT_FOUND)
    return failed(`A path with an encoded character answers ${encodedStatus}, not ${NOT_FOUND}.`);
  return ok('The container answers, and gets paths whole.');
}

export interface RuntimeFacts {
  /** The runtimes of the functions, and whether Lambda knows them. */
  readonly own: Readonly<Record<string, boolean>>;
  /** Whether Lambda says that it knows a runtime that there is not. */
  readonly knowsUnknown: boolean;
}

/** No release of Node will have this number for long. */
const UNKNOWN_RUNTIME = 'nodejs99.x';

/** Whether Lambda refuses a filter by an unknown runtime, by which the preflight finds out about runtimes. */
export const runtimes: Step<RuntimeFacts> = {
  id: 'runtimes',
  expects:
    'Lambda refuses to list the layers of a runtime that it does not know, and lists those of a runtime that it knows.',
  unavailable: unlessInCloud,
  async observe(place: Place) {
    const { account, stack: deployed } = cloudOf(place);
    const functions = deployedOfType(deployed, 'AWS::Lambda::Function');
    const names = new Set(functions.map(({ Properties }) => String(Properties?.['Runtime'])));
    const known = [...names].map(async (name) => [name, await account.reads.knowsRuntime(name)] as const);
    const own = Object.fromEntries(await Promise.all(known));
    return { own, knowsUnknown: await account.reads.knowsRuntime(UNKNOWN_RUNTIME) };
  },
  judge: judgeRuntimes,
};

export function judgeRuntimes({ own, knowsUnknown }: RuntimeFacts): Verdict {
  const refused = Object.keys(own).filter((name) => own[name] === false);
  if (refused.length > 0)
    return failed(`Lambda refuses ${refused.join(', ')}, which runs here: the preflight would call it unknown.`);
  if (knowsUnknown)
    return failed(`Lambda lists the layers of ${UNKNOWN_RUNTIME}: the preflight would call any runtime known.`);
  return ok(`Lambda knows ${Object.keys(own).join(', ')}, and refuses ${UNKNOWN_RUNTIME}.`);
}
