CREATE TABLE "api_key_usage" (
	"api_key_id" text NOT NULL,
	"day" date NOT NULL,
	"requests" bigint NOT NULL,
	"refused" bigint NOT NULL,
	CONSTRAINT "api_key_usage_api_key_id_day_pk" PRIMARY KEY("api_key_id","day")
);
--> statement-breakpoint
CREATE INDEX "api_key_usage_age" ON "api_key_usage" USING btree ("day");