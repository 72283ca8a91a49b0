import { OBJECTS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { cloudOf, knobOf, type Place, unlessInCloud } from '../Place.ts';
import { deployedOfType, type TableState } from '../StackAccount.ts';
import { failed, ok, type Step, type Verdict } from '../Step.ts';

/** The table of the objects: its logical id never changes. */
export const OBJECTS_TABLE_ID = 'ObjectsTable';

/** The stack's own tables by logical id; one that is gone is absent. */
export type TableFacts = Readonly<Record<string, TableState | undefined>>;

/** What the deployment has made of the tables. */
export const tables: Step<TableFacts> = {
  id: 'tables',
  expects: 'Each table is active and protected, and that of the objects has its stream, its expiry and its backup.',
  unavailable: unlessInCloud,
  async observe(place) {
    const { account, stack } = cloudOf(place);
    const own = deployedOfType(stack, 'AWS::DynamoDB::Table');
    const states = own.map(
      async ({ logicalId, physicalId }) => [logicalId, await account.reads.table(physicalId)] as const,
    );
    return Object.fromEntries(await Promise.all(states));
  },
  judge: (facts, place) => judgeTables(facts, expectedOf(place)),
};

export interface ExpectedTables {
  /** Undefined if nobody knows. */
  readonly isProtected: boolean | undefined;
  readonly recoveryDays: number | undefined;
}

function expectedOf(place: Place): ExpectedTables {
  return {
    isProtected: knobOf(place, 'deletionProtection'),
    recoveryDays: knobOf(place, 'pointInTimeRecoveryDays'),
  };
}

export function judgeTables(facts: TableFacts, expected: ExpectedTables): Verdict {
  const found = Object.entries(facts);
  if (found.length === 0) return failed('The stack has no table of its own.');
  const problems = found.flatMap(([id, table]) => problemsOf(id, table, expected));
  if (problems.length > 0) return failed(`${problems.join('; ')}.`);
  const backedUp = facts[OBJECTS_TABLE_ID]?.recovery;
  const backup = backedUp ? `, and the objects can be restored to any second of ${backedUp.days} days` : '';
  const isProtected = found.every(([, table]) => table?.isProtected);
  return ok(`${found.length} tables are active${isProtected ? ' and protected' : ''}${backup}.`);
}

function problemsOf(id: string, table: TableState | undefined, expected: ExpectedTables): readonly string[] {
  if (!table) return [`there is no ${id}`];
  const { status, isProtected, streamView, expiryAttribute, recovery } = table;
  const isProtectedRightly = expected.isProtected === undefined || expected.isProtected === isProtected;
  return [
    ...(status === 'ACTIVE' ? [] : [`${id} is ${status}`]),
    ...(isProtectedRightly ? [] : [`${id} is ${isProtected ? '' : 'not '}protected from deletion`]),
    ...(id === OBJECTS_TABLE_ID ? objectsProblems({ streamView, expiryAttribute, recovery }, expected) : []),
  ];
}

function objectsProblems(
  { streamView, expiryAttribute, recovery }: Pick<TableState, 'streamView' | 'expiryAttribute' | 'recovery'>,
  { recoveryDays }: ExpectedTables,
): readonly string[] {
  return [
    ...(streamView === 'NEW_AND_OLD_IMAGES' ? [] : [`its stream has ${streamView ?? 'nothing'}`]),
    ...(expiryAttribute === OBJECTS_TABLE.timeToLive ? [] : [`its items expire by ${expiryAttribute ?? 'nothing'}`]),
    ...(recoveryDays === undefined || recoveryDays === (recovery?.days ?? 0)
      ? []
      : [`its backup is of ${recovery?.days ?? 0} days instead of ${recoveryDays}`]),
  ];
}
