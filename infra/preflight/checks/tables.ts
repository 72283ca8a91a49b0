import type { TableName } from '../../cdk/TableName.ts';
import type { ExistingTable, Quota } from '../AccountReads.ts';
import { type Check, type Deployment, ok, type Verdict, wrong } from '../Check.ts';

/** The tables of the knob `restoredTables` as DynamoDB has them, by the stack's name for them. */
type RestoredFacts = Readonly<Partial<Record<TableName, ExistingTable | undefined>>>;

/** Whether the restored tables are there, and whether the objects' one has the stream that the stack reads. */
export const restoredTables: Check<RestoredFacts> = {
  name: 'restoredTables',
  appliesTo: ({ props }) => Object.keys(props.restoredTables).length > 0,
  async observe(account, { plan }) {
    const tables = Object.entries(plan.props.restoredTables).map(
      async ([table, { name }]) => [table, await account.table(name)] as const,
    );
    return Object.fromEntries(await Promise.all(tables));
  },
  decide: decideRestored,
};

/** The stream must have both images; see README.md, "Restore". */
const VIEW_TYPE = 'NEW_AND_OLD_IMAGES';

export function decideRestored(facts: RestoredFacts, { plan }: Deployment): Verdict {
  const problems = Object.entries(plan.props.restoredTables).flatMap(([table, { name, streamArn }]) => {
    const found = facts[table as TableName];
    if (!found) return [`there is no table ${name} in this region`];
    if (found.status !== 'ACTIVE') return [`${name} is ${found.status}: wait until it is ACTIVE`];
    if (streamArn === undefined) return [];
    if (!found.stream) return [`${name} has no stream: switch it on with ${VIEW_TYPE}`];
    if (found.stream.viewType !== VIEW_TYPE)
      return [`${name} has a stream of ${found.stream.viewType}, not ${VIEW_TYPE}`];
    return found.stream.arn === streamArn ? [] : [`the stream of ${name} is ${found.stream.arn}`];
  });
  if (problems.length > 0) return wrong(`Correct \`restoredTables\`: ${problems.join('; ')}.`);
  return ok(`${Object.keys(plan.props.restoredTables).length} restored tables are ready.`);
}

interface UnitQuotas {
  readonly writeUnitsPerSecond: number;
  readonly readUnitsPerSecond: number;
}

/** Table-level throughput limits, 40,000 of each unless AWS has raised them: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const TABLE_UNITS = {
  writeUnitsPerSecond: { service: 'dynamodb', code: 'L-AB614373' },
  readUnitsPerSecond: { service: 'dynamodb', code: 'L-CF0CBE56' },
} as const satisfies Readonly<Record<keyof UnitQuotas, Quota>>;

/** Whether a table may be warmed as far as `warmThroughput` asks. */
export const warmThroughput: Check<UnitQuotas> = {
  name: 'warmThroughput',
  appliesTo: ({ props }) => Object.keys(props.warmThroughput).length > 0,
  observe: async (account) => ({
    writeUnitsPerSecond: await account.quota(TABLE_UNITS.writeUnitsPerSecond),
    readUnitsPerSecond: await account.quota(TABLE_UNITS.readUnitsPerSecond),
  }),
  decide: decideWarmThroughput,
};

export function decideWarmThroughput(quotas: UnitQuotas, { plan }: Deployment): Verdict {
  const above = Object.entries(plan.props.warmThroughput).flatMap(([table, units]) =>
    Object.entries(units)
      .map(([unit, asked]) => ({ unit: unit as keyof UnitQuotas, asked: Number(asked) }))
      .filter(({ unit, asked }) => asked > quotas[unit])
      .map(({ unit }) => `\`${table}.${unit}\` to at most ${quotas[unit]} (${TABLE_UNITS[unit].code})`),
  );
  if (above.length === 0) return ok(`The account allows ${quotas.writeUnitsPerSecond} write units for a table.`);
  return wrong(`Set in \`warmThroughput\` ${above.join(' and ')}, or ask for higher quotas of DynamoDB.`);
}
