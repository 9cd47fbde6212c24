CREATE TABLE "price_alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_address" text NOT NULL,
	"api_key_id" text NOT NULL,
	"ticker" text NOT NULL,
	"side" text NOT NULL,
	"price_micros" bigint NOT NULL,
	"direction" text NOT NULL,
	"source" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"fired_at" timestamp (3) with time zone,
	"fired_price_micros" bigint,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "price_alerts_fired_has_price" CHECK ((fired_at is null) = (fired_price_micros is null))
);
--> statement-breakpoint
CREATE INDEX "price_alerts_by_owner" ON "price_alerts" USING btree ("owner_address","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "price_alerts_waiting" ON "price_alerts" USING btree ("ticker") WHERE fired_at is null and ended_at is null;