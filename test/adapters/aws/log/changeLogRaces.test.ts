import { expectOneOrder } from './expectOneOrder.ts';

expectOneOrder(Array.from({ length: 10 }, (_, index) => 150 + index));
