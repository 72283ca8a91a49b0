// Slow: twenty worlds in which shards lag for hours.
import { expectOneOrder } from './expectOneOrder.ts';

expectOneOrder(Array.from({ length: 20 }, (_, index) => 160 + index));
