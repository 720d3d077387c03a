print("mint")
