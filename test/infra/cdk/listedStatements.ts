import type { Grant } from '../../../infra/cdk/grants/Grant.ts';
import { RESOURCE_POLICIES } from '../../../infra/cdk/permissionsPage/resourcePolicies.ts';
import { STACK_ROLES, type StackRole } from '../../../infra/cdk/permissionsPage/stackRoles.ts';
import type { Target } from '../../../infra/cdk/grants/targets.ts';

/** A line as `statementLines` has it. */
export interface ListedStatement {
  readonly line: string;
  /** Why it may have a `*`; absent if it must have none. */
  readonly whyEverything: string | undefined;
}

const tableArn = (name: string) => [`<${name}Table.Arn>`];
const indexArns = (name: string, ...indexes: string[]) => indexes.map((index) => `<${name}Table.Arn>/index/${index}`);

/** Each target as the template has it. The log of a role depends on the role. */
const TARGET_ARNS: Readonly<Record<Exclude<Target, 'ownLog'>, readonly string[]>> = {
  objects: tableArn('Objects'),
  versions: tableArn('Versions'),
  namespaces: tableArn('Namespaces'),
  log: tableArn('Log'),
  keys: tableArn('Keys'),
  objectIndexes: indexArns('Objects', 'byController', 'byCoOwned', 'bySelects'),
  keyIndexes: indexArns('Keys', 'overdue'),
  objectStream: ['<ObjectsTable.StreamArn>'],
  workQueue: ['<WorkQueue.Arn>'],
  deadLetterQueue: ['<DeadLetterQueue.Arn>'],
  givenUpQueue: ['<GivenUpQueue.Arn>'],
  resync: ['<ResyncFunction.Arn>', '<ResyncFunctionLive>'],
  auditLog: ['<AuditLog.Arn>'],
  gatewayAccount: ['arn:aws:apigateway:REGION::/account'],
  gatewayLogRole: ['<GatewayLogRole.Arn>'],
  encryptionKey: ['<EncryptionKey.Arn>'],
  imageRepository: ['arn:aws:ecr:REGION:ACCOUNT:repository/cdk-hnb659fds-container-assets-ACCOUNT-REGION'],
  stack: ['<AWS::StackId>'],
  everything: ['*'],
};

/** Returns the statements that `docs/permissions.md` lists, in the terms of the template. */
export function listedStatements(): readonly ListedStatement[] {
  return [...STACK_ROLES.flatMap(ofRole), ...RESOURCE_POLICIES.map(ofResource)];
}

function ofRole({ role, assumedBy, grants, managedPolicies = [] }: StackRole): readonly ListedStatement[] {
  return [
    { line: `${role}: Allow sts:AssumeRole to ${assumedBy}`, whyEverything: undefined },
    ...managedPolicies.map(({ name, whyEverything }) => ({
      line: `${role}: Allow arn:aws:iam::aws:policy/${name}`,
      whyEverything,
    })),
    ...grants.flatMap((grant) => ofGrant(role, grant)),
  ];
}

function ofGrant(role: string, grant: Grant): readonly ListedStatement[] {
  const whyEverything = grant.on === 'everything' ? grant.whyEverything : undefined;
  const arns = grant.on === 'ownLog' ? [`<${logOf(role)}.Arn>`] : TARGET_ARNS[grant.on];
  return grant.actions.flatMap((action) =>
    arns.map((arn) => ({ line: `${role}: Allow ${action} on ${arn}`, whyEverything })),
  );
}

function logOf(role: string): string {
  return role === 'ApiTaskExecutionRole' ? 'ApiContainerLog' : role.replace(/Role$/, 'Log');
}

/** How the policies of these resources name them. */
const NAMED: Readonly<Record<string, string>> = {
  AlarmMails: '<AlarmMails>',
  Api: 'execute-api:/*',
  EncryptionKey: '*',
};

/** That of the vault in `knobSets.ts`. */
const COPYING_ACCOUNT = 'arn:aws:iam::444455556666:root';

function ofResource({
  resource,
  effect,
  action,
  principal,
  onlyIf,
  whyEverything,
}: (typeof RESOURCE_POLICIES)[number]): ListedStatement {
  const on = action === 'lambda:InvokeFunction' ? '' : ` on ${NAMED[resource] ?? `<${resource}.Arn>`}`;
  const to = ` to ${principal.includes('backupCopies') ? COPYING_ACCOUNT : principal}`;
  const condition = onlyIf === '' ? '' : ` if ${onlyIf}`;
  return { line: `${resource}: ${effect} ${action}${on}${to}${condition}`, whyEverything };
}
