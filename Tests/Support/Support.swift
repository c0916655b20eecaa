import Pipeline
