CREATE TABLE "collateral_lease" (
	"name" text PRIMARY KEY NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exchange_shards" (
	"shard" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"balance_micros" bigint NOT NULL,
	"trading_active" boolean NOT NULL,
	"transfers_active" boolean NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exchange_transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"source_shard" integer NOT NULL,
	"destination_shard" integer NOT NULL,
	"amount_micros" bigint NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"exchange_transfer_id" text,
	"stored_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "shard" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "exchange_attempts" ADD COLUMN "shard" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "exchange_transfers_open" ON "exchange_transfers" USING btree ("source_shard","destination_shard") WHERE ended_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "exchange_transfers_by_exchange_id" ON "exchange_transfers" USING btree ("exchange_transfer_id");--> statement-breakpoint
CREATE INDEX "exchange_transfers_by_time" ON "exchange_transfers" USING btree ("stored_at");--> statement-breakpoint
CREATE INDEX "exchange_attempts_by_time" ON "exchange_attempts" USING brin ("stored_at");--> statement-breakpoint
UPDATE "alerts" SET "subject" = 'shard 0' WHERE "kind" = 'exchange_unfunded' AND "subject" = 'service' AND "resolved_at" is null;
