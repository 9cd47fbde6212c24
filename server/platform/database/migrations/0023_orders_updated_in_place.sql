-- An order is written to some eight times. Where a new version of it finds room on the same page and
-- no column of an index has changed, none of the indexes is written to.
ALTER TABLE "orders" SET (fillfactor = 50);--> statement-breakpoint
CREATE INDEX "orders_received" ON "orders" USING btree ("receiver_address") WHERE trade_action = 'buy' and is_complete;--> statement-breakpoint
DROP INDEX "orders_by_receiver";
