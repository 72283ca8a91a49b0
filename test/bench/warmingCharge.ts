import { TABLES } from '../../infra/cdk/createTables.ts';
import type { TableName } from '../../infra/cdk/TableName.ts';
import type { DriftlessStackProps } from '../../infra/cdk/DriftlessStackProps.ts';
import { PRICES } from '../../infra/emulation/bill/prices.ts';
import { DYNAMODB } from '../model/publishedLimits.ts';

/** Returns what AWS charges once for warming tables, with their global indexes, as the knob says; dollars. What a new table bears anyway is free. Pure. */
export function warmingCharge(warm: DriftlessStackProps['warmThroughput']): number {
  const charges = Object.entries(warm).map(([name, { readUnitsPerSecond = 0, writeUnitsPerSecond = 0 }]) => {
    const { globalIndexes = [] } = TABLES[name as TableName];
    const reads = Math.max(0, readUnitsPerSecond - DYNAMODB.newTableReadUnits) * PRICES.dynamoDbWarmReadUnit;
    const writes = Math.max(0, writeUnitsPerSecond - DYNAMODB.newTableWriteUnits) * PRICES.dynamoDbWarmWriteUnit;
    return (reads + writes) * (1 + globalIndexes.length);
  });
  return charges.reduce((sum, charge) => sum + charge, 0);
}
