print("generate-tables: not built")
